import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import {defineConfig} from 'vite';

/** Answers all that is no file of the app, for Vite's server. */
const service = process.env['STANDUP_URL'] ?? 'http://localhost:3000';

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react(), {...optimizeLocales.vite({locales: ['en-US', 'de-DE']}), enforce: 'pre'}],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    modulePreload: {polyfill: false},
    rollupOptions: {input: {boot: 'api/boot.ts', main: 'main.tsx'}},
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
