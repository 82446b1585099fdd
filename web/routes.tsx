// oxlint-disable-next-line no-unused-vars -- the screens to come are loaded by it
import {createRootRoute, createRoute, createRouter, lazyRouteComponent} from '@tanstack/react-router';
import {Frame} from './frame/frame.tsx';
import {NotFound} from './frame/not-found.tsx';
import {TodayPage} from './today/page.tsx';

const root = createRootRoute({notFoundComponent: NotFound});

/** `write`: the panel that writes a standup stands beside any page; the slug of the team, or empty for one's own choice. */
const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  component: Frame,
  validateSearch: (search: Record<string, unknown>): {write?: string; edit?: string} => ({
    ...(typeof search['write'] === 'string' && {write: search['write']}),
    ...(typeof search['edit'] === 'string' && {edit: search['edit']}),
  }),
});

const home = createRoute({getParentRoute: () => framed, path: '/', component: TodayPage});
const team = createRoute({getParentRoute: () => framed, path: '/t/$team', component: TodayPage});

const routeTree = root.addChildren([framed.addChildren([home, team])]);

export const router = createRouter({
  routeTree,
  basepath: '/app',
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
