import '@fontsource-variable/inter';
import './parts/base.css';
import {QueryClientProvider} from '@tanstack/react-query';
import {RouterProvider} from '@tanstack/react-router';
import {createRoot} from 'react-dom/client';
import {queryClient} from './api/queries.ts';
import {applyTheme} from './parts/theme.ts';
import {router} from './routes.tsx';
import {readLanguage} from './parts/language.ts';
import {storeItem, readItem} from './api/storage.ts';
import {chooseLanguage} from './texts/texts.ts';

// A new deployment may remove a file of the app, so reload the page, at most once a minute. Drafts are kept.
addEventListener('vite:preloadError', (event) => {
  const at = Number(readItem('standup:reloaded') ?? 0);
  if (Date.now() - at < 60_000 || !storeItem('standup:reloaded', String(Date.now()))) return;
  event.preventDefault();
  location.reload();
});
applyTheme();
// Do not use `await` here: a language file imports modules that this file contains, so each file would wait
// for the other. English is always loaded.
void chooseLanguage(readLanguage())
  .catch(() => undefined)
  .then(() => {
    const container = document.getElementById('app');
    if (container === null) return;
    createRoot(container).render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
  });
