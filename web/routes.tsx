import {createRootRoute, createRoute, createRouter, lazyRouteComponent} from '@tanstack/react-router';
import {readBlockersSearch} from './blockers/search.ts';
import {readCalendarSearch} from './calendar/search.ts';
import {readEventsSearch} from './events/search.ts';
import {Broken} from './frame/broken.tsx';
import {Frame} from './frame/frame.tsx';
import {loadModuleWithTexts} from './frame/later.tsx';
import {NotFound} from './frame/not-found.tsx';
import {readFrameSearch} from './frame/search.ts';
import {readHistorySearch} from './history/search.ts';
import {readOverviewSearch, readSpanSearch} from './insights/search.ts';
import {readMembersSearch} from './members/search.ts';
import {readPersonSearch} from './people/search.ts';
import {readSignInSearch} from './sign-in/search.ts';
import {readTodaySearch} from './today/search.ts';
import {readWebhookSearch} from './webhooks/search.ts';
import {readTokensSearch} from './tokens/search.ts';

/**
 * Parses search parameters with `read`. A parameter that `read` omits becomes undefined; otherwise the router
 * would pass on the raw value.
 */
function createSearchReader<Search extends object>(
  read: (given: Record<string, unknown>) => Search,
  ...names: readonly (keyof Search)[]
): (given: Record<string, unknown>) => Search {
  return (given) => {
    const said = names.filter((name) => Object.hasOwn(given, name));
    return {...Object.fromEntries(said.map((name) => [name, undefined])), ...read(given)};
  };
}

const root = createRootRoute();

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: createSearchReader(readSignInSearch, 'to', 'problem', 'request'),
  component: lazyRouteComponent(() => loadModuleWithTexts(() => import('./sign-in/page.tsx')), 'SignInPage'),
});

const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  component: Frame,
  validateSearch: createSearchReader(readFrameSearch, 'write', 'edit'),
});

const today = lazyRouteComponent(
  () => loadModuleWithTexts(() => import('./today/page.tsx'), 'board'),
  'TodayPage',
);
const home = createRoute({
  getParentRoute: () => framed,
  path: '/',
  component: today,
  validateSearch: createSearchReader(readTodaySearch, 'date'),
});
const team = createRoute({
  getParentRoute: () => framed,
  path: '/t/$team',
  component: today,
  validateSearch: createSearchReader(readTodaySearch, 'date'),
});
const history = createRoute({
  getParentRoute: () => framed,
  path: '/history',
  validateSearch: createSearchReader(
    readHistorySearch,
    'team',
    'author',
    'from',
    'to',
    'source',
    'q',
    'order',
    'standup',
  ),
  component: lazyRouteComponent(() => loadModuleWithTexts(() => import('./history/page.tsx')), 'HistoryPage'),
});
const person = createRoute({
  getParentRoute: () => framed,
  path: '/people/$member',
  validateSearch: createSearchReader(readPersonSearch, 'tab'),
  component: lazyRouteComponent(() => loadModuleWithTexts(() => import('./people/page.tsx')), 'PersonPage'),
});
const blockers = createRoute({
  getParentRoute: () => framed,
  path: '/blockers',
  validateSearch: createSearchReader(readBlockersSearch, 'team', 'state', 'author', 'blocker'),
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./blockers/page.tsx')),
    'BlockersPage',
  ),
});
const calendar = createRoute({
  getParentRoute: () => framed,
  path: '/calendar',
  validateSearch: createSearchReader(readCalendarSearch, 'team', 'person', 'month', 'view'),
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./calendar/page.tsx')),
    'CalendarPage',
  ),
});
const sessions = createRoute({
  getParentRoute: () => framed,
  path: '/sessions',
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./sessions/page.tsx')),
    'SessionsPage',
  ),
});

const insights = createRoute({
  getParentRoute: () => framed,
  path: '/t/$team/insights',
  validateSearch: createSearchReader(readSpanSearch, 'span', 'from', 'until'),
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./insights/page.tsx'), 'leading'),
    'InsightsPage',
  ),
});
const overview = createRoute({
  getParentRoute: () => framed,
  path: '/insights',
  validateSearch: createSearchReader(readOverviewSearch, 'span', 'from', 'until', 'teams'),
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./insights/overview-page.tsx'), 'leading'),
    'OverviewPage',
  ),
});
const run = createRoute({
  getParentRoute: () => framed,
  path: '/t/$team/runs/$date',
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./insights/run-page.tsx'), 'leading'),
    'RunPage',
  ),
});
const settings = createRoute({
  getParentRoute: () => framed,
  path: '/t/$team/settings',
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./team/page.tsx'), 'leading'),
    'TeamPage',
  ),
});
const newTeam = createRoute({
  getParentRoute: () => framed,
  path: '/teams/new',
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./team/new-page.tsx'), 'leading'),
    'NewTeamPage',
  ),
});
const members = createRoute({
  getParentRoute: () => framed,
  path: '/people',
  validateSearch: createSearchReader(readMembersSearch, 'q', 'team', 'role', 'erasure'),
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./members/page.tsx'), 'leading'),
    'MembersPage',
  ),
});
const tokens = createRoute({
  getParentRoute: () => framed,
  path: '/tokens',
  validateSearch: createSearchReader(readTokensSearch, 'show', 'token'),
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./tokens/page.tsx'), 'leading'),
    'TokensPage',
  ),
});
const webhooks = createRoute({
  getParentRoute: () => framed,
  path: '/webhooks',
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./webhooks/page.tsx'), 'leading'),
    'WebhooksPage',
  ),
});
const webhook = createRoute({
  getParentRoute: () => framed,
  path: '/webhooks/$webhook',
  validateSearch: createSearchReader(
    readWebhookSearch,
    'state',
    'type',
    'last',
    'since',
    'until',
    'event',
    'replay',
    'delivery',
  ),
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./webhooks/webhook-page.tsx'), 'leading'),
    'WebhookPage',
  ),
});
const events = createRoute({
  getParentRoute: () => framed,
  path: '/events',
  validateSearch: createSearchReader(
    readEventsSearch,
    'types',
    'last',
    'from',
    'to',
    'about',
    'actor',
    'event',
  ),
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./events/page.tsx'), 'leading'),
    'EventsPage',
  ),
});
const workspace = createRoute({
  getParentRoute: () => framed,
  path: '/workspace',
  component: lazyRouteComponent(
    () => loadModuleWithTexts(() => import('./workspace/page.tsx'), 'leading'),
    'WorkspacePage',
  ),
});

/** The page for unknown addresses. It is inside the frame, so that people can use the navigation. */
const nowhere = createRoute({getParentRoute: () => framed, path: '$', component: NotFound});

const routeTree = root.addChildren([
  signIn,
  framed.addChildren([
    home,
    team,
    insights,
    overview,
    run,
    settings,
    newTeam,
    history,
    blockers,
    calendar,
    person,
    members,
    tokens,
    webhooks,
    webhook,
    events,
    workspace,
    sessions,
    nowhere,
  ]),
]);

/** Leads an address such as `/t/%ff` to `nowhere`. The router would show it without the frame. */
function replaceUndecodablePath(url: URL): URL {
  try {
    decodeURIComponent(url.pathname);
  } catch {
    url.pathname = '/-';
  }
  return url;
}

export const router = createRouter({
  routeTree,
  basepath: '/app',
  rewrite: {input: ({url}) => replaceUndecodablePath(url)},
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
