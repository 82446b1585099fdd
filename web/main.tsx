import '@fontsource-variable/inter';
import './parts/tokens.css';
import './parts/base.css';
import {QueryClientProvider} from '@tanstack/react-query';
import {RouterProvider} from '@tanstack/react-router';
import {createRoot} from 'react-dom/client';
import {queryClient} from './api/queries.ts';
import {applyTheme} from './parts/theme.ts';
import {router} from './routes.tsx';
import {readLanguage} from './parts/language.ts';
import {keep, readKept} from './api/storage.ts';
import {chooseLanguage} from './words/words.ts';

// A file of the app is gone: another version was deployed. Drafts are kept, so the page is reloaded, once a
// minute at most.
addEventListener('vite:preloadError', (event) => {
  const at = Number(readKept('standup:reloaded') ?? 0);
  if (Date.now() - at < 60_000 || !keep('standup:reloaded', String(Date.now()))) return;
  event.preventDefault();
  location.reload();
});
applyTheme();
// Not awaited here: other languages share modules with this file, which could not run before it then. English
// is always there.
void chooseLanguage(readLanguage())
  .catch(() => undefined)
  .then(() => {
    const place = document.getElementById('app');
    if (place === null) return;
    createRoot(place).render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
  });
