import {createRequire} from 'node:module';
import path from 'node:path';
import express, {type Request, type Response, type Router} from 'express';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Team Standup Service API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<div id="docs">Loading the reference. The document itself is at <a href="/openapi.json">/openapi.json</a>.</div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const script = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const style = `main { max-width: 42rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
#docs { font-family: system-ui, sans-serif; }
`;

/** The API reference at `/docs`: everything comes from this service, so the Content-Security-Policy stays strict. */
export function createDocs(): Router {
  const router = express.Router();
  const assets = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const text = (type: string, body: string) => (_: Request, response: Response) => {
    response.type(type).set('Cache-Control', 'public, max-age=300').send(body);
  };
  router.get('/', text('html', page));
  router.get('/start.js', text('js', script));
  router.get('/page.css', text('css', style));
  router.use('/assets', express.static(assets, {index: false, maxAge: '1d'}));
  return router;
}
