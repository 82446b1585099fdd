// Runs while the rest of the app loads: signs in, opens the change stream, and starts the reads of the first
// screen.
import {prefetch} from './client.ts';
import {readItem} from './storage.ts';
import {followChanges} from './changes.ts';

const {pathname} = location;

if (!pathname.startsWith('/app/sign-in')) {
  followChanges();
  prefetch('/v1/me');
  const [, shown] = /^\/app(?:\/t\/([\w-]+))?\/?$/.exec(pathname) ?? [];
  const team = shown ?? readItem('standup:team');
  if (
    (shown !== undefined || /^\/app\/?$/.test(pathname)) &&
    team !== null &&
    !location.search.includes('date=')
  ) {
    prefetch(`/v1/teams/${team}`);
    prefetch(`/v1/teams/${team}/days/today`);
  }
}
