// oxlint-disable-next-line no-unused-vars -- the screens to come are loaded by it
import {createRootRoute, createRoute, createRouter, lazyRouteComponent} from '@tanstack/react-router';
import {readBlockersSearch} from './blockers/search.ts';
import {readCalendarSearch} from './calendar/search.ts';
import {Frame} from './frame/frame.tsx';
import {NotFound} from './frame/not-found.tsx';
import {readFrameSearch} from './frame/search.ts';
import {readHistorySearch} from './history/search.ts';
import {readPersonSearch} from './people/search.ts';
import {readSignInSearch} from './sign-in/search.ts';
import {TodayPage} from './today/page.tsx';
import {readTodaySearch} from './today/search.ts';

const root = createRootRoute({notFoundComponent: NotFound});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignInSearch,
  component: lazyRouteComponent(() => import('./sign-in/page.tsx'), 'SignInPage'),
});

const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  component: Frame,
  validateSearch: readFrameSearch,
});

const home = createRoute({
  getParentRoute: () => framed,
  path: '/',
  component: TodayPage,
  validateSearch: readTodaySearch,
});
const team = createRoute({
  getParentRoute: () => framed,
  path: '/t/$team',
  component: TodayPage,
  validateSearch: readTodaySearch,
});
const history = createRoute({
  getParentRoute: () => framed,
  path: '/history',
  validateSearch: readHistorySearch,
  component: lazyRouteComponent(() => import('./history/page.tsx'), 'HistoryPage'),
});
const person = createRoute({
  getParentRoute: () => framed,
  path: '/people/$member',
  validateSearch: readPersonSearch,
  component: lazyRouteComponent(() => import('./people/page.tsx'), 'PersonPage'),
});
const blockers = createRoute({
  getParentRoute: () => framed,
  path: '/blockers',
  validateSearch: readBlockersSearch,
  component: lazyRouteComponent(() => import('./blockers/page.tsx'), 'BlockersPage'),
});
const calendar = createRoute({
  getParentRoute: () => framed,
  path: '/calendar',
  validateSearch: readCalendarSearch,
  component: lazyRouteComponent(() => import('./calendar/page.tsx'), 'CalendarPage'),
});
const sessions = createRoute({
  getParentRoute: () => framed,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./sessions/page.tsx'), 'SessionsPage'),
});

const routeTree = root.addChildren([
  signIn,
  framed.addChildren([home, team, history, person, blockers, calendar, sessions]),
]);

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
