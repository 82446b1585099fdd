import {readFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import path from 'node:path';
import express, {type Request, type Response, type Router} from 'express';
import type {SendDocument} from '../http/send-document.js';

/** The files of Swagger UI that are used here. The rest of the package is not needed. */
const assetNames = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/**
 * Serves the API reference at `/docs`. All its files come from this service, which allows a strict
 * Content-Security-Policy. Each file is read once, so slow clients hold no copies and no open files.
 */
export function createReferencePages(sendDocument: SendDocument): Router {
  const router = express.Router();
  const own = (name: string) => {
    const content = readFileSync(new URL(`./docs/${name}`, import.meta.url));
    return (_: Request, response: Response) => {
      response.type(path.extname(name)).set('Cache-Control', 'public, max-age=300').send(content);
    };
  };
  router.get('/', own('page.html'));
  for (const name of ['start.js', 'page.css', 'icon.svg']) router.get(`/${name}`, own(name));
  const assets = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const name of assetNames) {
    let content: Promise<Buffer> | undefined;
    router.get(`/assets/${name}`, async (request: Request, response: Response) => {
      content ??= readFile(path.join(assets, name)).catch((error: unknown) => {
        content = undefined;
        throw error;
      });
      response.type(path.extname(name)).set('Cache-Control', 'public, max-age=86400');
      await sendDocument(request, response, await content);
    });
  }
  return router;
}
