import '@fontsource-variable/inter';
import './parts/tokens.css';
import './parts/base.css';
import {QueryClientProvider} from '@tanstack/react-query';
import {RouterProvider} from '@tanstack/react-router';
import {createRoot} from 'react-dom/client';
import {queryClient} from './api/queries.ts';
import {applyTheme} from './parts/theme.ts';
import {router} from './routes.tsx';
import {chooseLanguage} from './words/words.ts';

applyTheme();
void start();

/** Not awaited by the module: the file of another language waits for it in turn. */
async function start(): Promise<void> {
  await chooseLanguage();
  const place = document.getElementById('app');
  if (place === null) return;
  createRoot(place).render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}
