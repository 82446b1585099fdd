import {readFileSync} from 'node:fs';
import path from 'node:path';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import {defineConfig, type Plugin} from 'vite';

/** The address to which Vite's dev server forwards all requests, except those for files of the app. */
const service = process.env['STANDUP_URL'] ?? 'http://localhost:3000';

interface Graph {
  getModuleInfo(id: string): {readonly importedIds: readonly string[]} | null;
}

/**
 * Puts the code of the first paint into two files, and the code of the first screen into one. The head of
 * every page requests them. By default, each set of pages that share a module would get its own file.
 */
function nameFirstChunk(id: string, graph: Graph): string | undefined {
  // The first paint needs none of these modules, although their package exports them from one file.
  if (/(?:infinite|queriesObserver|useQueries)/i.test(id)) return undefined;
  if (reach(graph, 'api/boot.ts').has(id)) return 'early';
  return reach(graph, 'main.tsx').has(id) ? 'first' : undefined;
}

function nameBoardChunk(id: string, graph: Graph): string | undefined {
  const isOfBoard = reach(graph, 'today/page.tsx').has(id) || id.endsWith('texts/compiled/en/today.ts');
  return isOfBoard && !id.endsWith('today/page.tsx') ? 'board' : undefined;
}

/** Puts what signs people in into one file: the first chunk names every file that pages load later. */
function nameWaysChunk(id: string): string | undefined {
  return /web\/(?:parts\/(?:ways|passkeys)\/|parts\/(?:confirm-first|sign-in-ways)\.|api\/(?:passkeys|sign-in)\.)/.test(
    id,
  )
    ? 'ways'
    : undefined;
}

/** Puts what each page loads right after its first paint into one file. */
function nameLiveChunk(id: string): string | undefined {
  return /web\/frame\/(?:live|menu-badge)\./.test(id) ? 'live' : undefined;
}

const formPages = ['team/page.tsx', 'team/new-page.tsx', 'workspace/page.tsx'];
const writePanel = 'write/panel.tsx';
const otherPages = listPages().filter((page) => !formPages.includes(page) && page !== writePanel);

/** The pages of `routes.tsx`, and the write panel. */
function listPages(): readonly string[] {
  const routes = readFileSync(path.join(import.meta.dirname, 'routes.tsx'), 'utf8');
  return [...routes.matchAll(/import\('\.\/([^']+)'\)/g)].map(([, file = '']) => file).concat(writePanel);
}

/**
 * Puts the fields that only pages of forms need into two files: those of the write panel and of such a page, and
 * those of two such pages. By default, each of them would get a file of its own.
 */
function nameFieldChunk(id: string, graph: Graph): string | undefined {
  const isIn = (page: string): boolean => reach(graph, page).has(id);
  if (otherPages.some(isIn)) return undefined;
  const users = formPages.filter(isIn).length;
  if (isIn(writePanel)) return users > 0 ? 'fields' : undefined;
  return users > 1 ? 'form-fields' : undefined;
}

/** Puts what other pages share with those of forms into one file. */
function nameSelectChunk(id: string): string | undefined {
  return /web\/parts\/(?:select\.tsx|field-classes\.ts|use-debounced\.ts)$/.test(id) ? 'select' : undefined;
}

const reachedBy = new Map<string, Set<string>>();

/** Finds all modules that a file imports statically, directly or indirectly. */
function reach(graph: Graph, entry: string): Set<string> {
  const found = reachedBy.get(entry) ?? new Set([path.join(import.meta.dirname, entry)]);
  if (!reachedBy.has(entry)) {
    reachedBy.set(entry, found);
    for (const id of found)
      for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}

/** Replaces React Aria's use of `innerHTML`, which the page's Content-Security-Policy forbids. */
const emptyByNodes: Plugin = {
  name: 'empty-by-nodes',
  transform(code, id) {
    if (!/live-announcer[\\/]LiveAnnouncer/.test(id) || !code.includes('innerHTML')) return undefined;
    const mended = code.replaceAll(".innerHTML = ''", '.replaceChildren()');
    return {code: mended, map: null};
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [
    react(),
    // Vite minifies for the target below; Tailwind would add rules for older browsers.
    tailwindcss({optimize: false}),
    emptyByNodes,
    {...optimizeLocales.vite({locales: ['en-US', 'de-DE']}), enforce: 'pre'},
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    // Browsers of the last 30 months: older ones lack `light-dark()` and `Map.groupBy`, which the app uses.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: {polyfill: false},
    rolldownOptions: {
      input: {boot: 'api/boot.ts', main: 'main.tsx'},
      output: {
        codeSplitting: {
          groups: [
            {name: nameFirstChunk, debugName: 'first paint', priority: 2},
            {name: nameBoardChunk, debugName: 'first screen', priority: 1},
            {name: nameSelectChunk, debugName: 'select', priority: 0.9},
            {name: nameFieldChunk, debugName: 'fields of forms', priority: 0.5},
            {name: nameLiveChunk, debugName: 'after the first paint', priority: 0.7},
            {name: nameWaysChunk, debugName: 'signing in', priority: 0.7},
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '^/(v1|docs|slack|openapi|llms|healthz|readyz|metrics|problems|\\.well-known)': service,
      '^/app/session(/|\\?|$)': service,
      '^/app/sign-in/.': service,
    },
  },
});
