import {readFileSync} from 'node:fs';
import type {Asset, BuiltApp} from './built-app.js';

/** Until the app has a page for it, signing in has this one, with two files of its own. */
export function readSignInPage(
  nonce: string,
  metas: readonly string[],
): {page: string; assets: BuiltApp['assets']} {
  const read = (name: string): Buffer => readFileSync(new URL(`./page/${name}`, import.meta.url));
  const asset = (type: string, name: string): [string, Asset] => [
    name,
    {type, forms: [{coding: undefined, content: read(name)}]},
  ];
  return {
    page: read('page.html')
      .toString()
      .replace('{{nonce}}', nonce)
      .replace('{{metas}}', () => metas.join('')),
    assets: new Map([
      asset('text/css; charset=utf-8', 'page.css'),
      asset('text/javascript; charset=utf-8', 'page.js'),
    ]),
  };
}
