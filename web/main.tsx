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
// Not awaited here: other languages share modules with this file, which could not run before it then.
void chooseLanguage().then(() => {
  const place = document.getElementById('app');
  if (place === null) return;
  createRoot(place).render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
});
