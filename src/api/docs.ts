import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import express, {type Request, type Response, type Router} from 'express';

/** The API reference at `/docs`: everything comes from this service, so the Content-Security-Policy stays strict. */
export function createDocs(): Router {
  const router = express.Router();
  const assets = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const own = (name: string) => {
    const content = readFileSync(new URL(`./docs/${name}`, import.meta.url));
    return (_: Request, response: Response) => {
      response.type(path.extname(name)).set('Cache-Control', 'public, max-age=300').send(content);
    };
  };
  router.get('/', own('page.html'));
  for (const name of ['start.js', 'page.css', 'icon.svg']) router.get(`/${name}`, own(name));
  router.use('/assets', express.static(assets, {index: false, maxAge: '1d'}));
  return router;
}
