import {createRootRoute, createRoute, createRouter, lazyRouteComponent} from '@tanstack/react-router';
import type {ReactNode} from 'react';
import {readBlockersSearch} from './blockers/search.ts';
import {readCalendarSearch} from './calendar/search.ts';
import {readEventsSearch} from './events/search.ts';
import {Broken} from './frame/broken.tsx';
import {Frame} from './frame/frame.tsx';
import {loadModuleWithTexts} from './frame/later.tsx';
import {NotFound} from './frame/not-found.tsx';
import {type FrameSearch, readFrameSearch} from './frame/search.ts';
import {readHistorySearch} from './history/search.ts';
import {readInsightsSearch, readOverviewSearch} from './insights/search.ts';
import {readMembersSearch} from './members/search.ts';
import {readPersonSearch} from './people/search.ts';
import {readSignInSearch} from './sign-in/search.ts';
import {readTodaySearch} from './today/search.ts';
import {readWebhookSearch} from './webhooks/search.ts';
import {readTokensSearch} from './tokens/search.ts';
import type {ExtraMessages} from './texts/texts.ts';

/** Keeps the parameters of the page and the frame; the router would pass on raw values of others. */
function createSearchReader<Search extends object>(read: (given: Record<string, unknown>) => Search) {
  return (given: Record<string, unknown>): Search => {
    const own = Object.keys(given).filter((name) => name !== 'write' && name !== 'edit');
    return {...Object.fromEntries(own.map((name) => [name, undefined])), ...read(given)};
  };
}

/**
 * A page that is loaded together with its texts. `name` is its export in the module. The export has no type
 * here: a page's type needs the router's type, which would need the page's.
 */
function lazyPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, unknown>>>,
  name: Name,
  further?: ExtraMessages,
) {
  return lazyRouteComponent(async () => {
    const module = await loadModuleWithTexts(load, further);
    return {default: module[name] as () => ReactNode};
  });
}

const root = createRootRoute();

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: createSearchReader(readSignInSearch),
  component: lazyPage(() => import('./sign-in/page.tsx'), 'SignInPage'),
});

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyPage(() => import('./join/page.tsx'), 'JoinPage'),
});

const reminder = createRoute({
  getParentRoute: () => root,
  path: '/reminder',
  component: lazyPage(() => import('./mail-links/page.tsx'), 'MailLinkPage'),
});

const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  component: Frame,
  validateSearch: (given): FrameSearch => ({write: undefined, edit: undefined, ...readFrameSearch(given)}),
});

const today = lazyPage(() => import('./today/page.tsx'), 'TodayPage', 'board');
const home = createRoute({
  getParentRoute: () => framed,
  path: '/',
  component: today,
  validateSearch: createSearchReader(readTodaySearch),
});
const team = createRoute({
  getParentRoute: () => framed,
  path: '/t/$team',
  component: today,
  validateSearch: createSearchReader(readTodaySearch),
});
const history = createRoute({
  getParentRoute: () => framed,
  path: '/history',
  validateSearch: createSearchReader(readHistorySearch),
  component: lazyPage(() => import('./history/page.tsx'), 'HistoryPage'),
});
const person = createRoute({
  getParentRoute: () => framed,
  path: '/people/$member',
  validateSearch: createSearchReader(readPersonSearch),
  component: lazyPage(() => import('./people/page.tsx'), 'PersonPage'),
});
const blockers = createRoute({
  getParentRoute: () => framed,
  path: '/blockers',
  validateSearch: createSearchReader(readBlockersSearch),
  component: lazyPage(() => import('./blockers/page.tsx'), 'BlockersPage'),
});
const calendar = createRoute({
  getParentRoute: () => framed,
  path: '/calendar',
  validateSearch: createSearchReader(readCalendarSearch),
  component: lazyPage(() => import('./calendar/page.tsx'), 'CalendarPage'),
});
const sessions = createRoute({
  getParentRoute: () => framed,
  path: '/sessions',
  component: lazyPage(() => import('./sessions/page.tsx'), 'SessionsPage'),
});

const insights = createRoute({
  getParentRoute: () => framed,
  path: '/t/$team/insights',
  validateSearch: createSearchReader(readInsightsSearch),
  component: lazyPage(() => import('./insights/page.tsx'), 'InsightsPage', 'leading'),
});
const overview = createRoute({
  getParentRoute: () => framed,
  path: '/insights',
  validateSearch: createSearchReader(readOverviewSearch),
  component: lazyPage(() => import('./insights/overview-page.tsx'), 'OverviewPage', 'leading'),
});
const run = createRoute({
  getParentRoute: () => framed,
  path: '/t/$team/runs/$date',
  component: lazyPage(() => import('./insights/run-page.tsx'), 'RunPage', 'leading'),
});
const week = createRoute({
  getParentRoute: () => framed,
  path: '/t/$team/weeks/$monday',
  component: lazyPage(() => import('./insights/week-page.tsx'), 'WeekPage', 'leading'),
});
const settings = createRoute({
  getParentRoute: () => framed,
  path: '/t/$team/settings',
  component: lazyPage(() => import('./team/page.tsx'), 'TeamPage', 'leading'),
});
const newTeam = createRoute({
  getParentRoute: () => framed,
  path: '/teams/new',
  component: lazyPage(() => import('./team/new-page.tsx'), 'NewTeamPage', 'leading'),
});
const members = createRoute({
  getParentRoute: () => framed,
  path: '/people',
  validateSearch: createSearchReader(readMembersSearch),
  component: lazyPage(() => import('./members/page.tsx'), 'MembersPage', 'leading'),
});
const tokens = createRoute({
  getParentRoute: () => framed,
  path: '/tokens',
  validateSearch: createSearchReader(readTokensSearch),
  component: lazyPage(() => import('./tokens/page.tsx'), 'TokensPage', 'leading'),
});
const device = createRoute({
  getParentRoute: () => framed,
  path: '/device',
  component: lazyPage(() => import('./tokens/device-page.tsx'), 'DevicePage', 'leading'),
});
const webhooks = createRoute({
  getParentRoute: () => framed,
  path: '/webhooks',
  component: lazyPage(() => import('./webhooks/page.tsx'), 'WebhooksPage', 'leading'),
});
const webhook = createRoute({
  getParentRoute: () => framed,
  path: '/webhooks/$webhook',
  validateSearch: createSearchReader(readWebhookSearch),
  component: lazyPage(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage', 'leading'),
});
const events = createRoute({
  getParentRoute: () => framed,
  path: '/events',
  validateSearch: createSearchReader(readEventsSearch),
  component: lazyPage(() => import('./events/page.tsx'), 'EventsPage', 'leading'),
});
const mail = createRoute({
  getParentRoute: () => framed,
  path: '/mail',
  component: lazyPage(() => import('./mail/page.tsx'), 'MailPage', 'leading'),
});
const workspace = createRoute({
  getParentRoute: () => framed,
  path: '/workspace',
  component: lazyPage(() => import('./workspace/page.tsx'), 'WorkspacePage', 'leading'),
});
const imports = createRoute({
  getParentRoute: () => framed,
  path: '/workspace/import',
  component: lazyPage(() => import('./imports/page.tsx'), 'ImportPage', 'leading'),
});

/** The page for unknown addresses. It is inside the frame, so that people can use the navigation. */
const nowhere = createRoute({getParentRoute: () => framed, path: '$', component: NotFound});

const routeTree = root.addChildren([
  signIn,
  join,
  reminder,
  framed.addChildren([
    home,
    team,
    insights,
    overview,
    run,
    week,
    settings,
    newTeam,
    history,
    blockers,
    calendar,
    person,
    members,
    tokens,
    device,
    webhooks,
    webhook,
    events,
    mail,
    workspace,
    imports,
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
