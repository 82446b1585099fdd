import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import {defineConfig} from 'vite';

/** Answers all that is no file of the app, for Vite's server. */
const service = process.env['STANDUP_URL'] ?? 'http://localhost:3000';

/** Module of the bundle, by which others it is imported. */
interface Graph {
  readonly getModuleInfo: (id: string) => {readonly importers: readonly string[]} | null;
}

/** All that the first screen needs is one file, after what boot.ts needs: many small ones pack badly. */
function nameFirst(id: string, graph: Graph): string | null {
  const isOf = (entry: string): boolean => isImportedBy(entry, id, graph, new Set());
  // Not of the first screen, though one file of its package lists them.
  if (/(?:infinite|queriesObserver)/i.test(id)) return null;
  return isOf('/web/api/boot.ts') ? 'early' : isOf('/web/main.tsx') ? 'first' : null;
}

function isImportedBy(entry: string, id: string, graph: Graph, seen: Set<string>): boolean {
  if (id.endsWith(entry)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return graph.getModuleInfo(id)?.importers.some((one) => isImportedBy(entry, one, graph, seen)) ?? false;
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react(), {...optimizeLocales.vite({locales: ['en-US', 'de-DE']}), enforce: 'pre'}],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    modulePreload: {polyfill: false},
    rolldownOptions: {
      input: {boot: 'api/boot.ts', main: 'main.tsx'},
      output: {codeSplitting: {groups: [{name: nameFirst}]}},
    },
  },
  server: {
    proxy: {
      '/v1': service,
      '/docs': service,
      '^/app/session(/|\\?|$)': service,
      '^/app/sign-in/.': service,
    },
  },
});
