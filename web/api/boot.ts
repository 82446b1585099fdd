// Runs while the rest of the app loads: signs in, opens the change stream, and starts the reads of the first
// screen.
import {prefetchPath} from './client.ts';
import {readItem} from './storage.ts';
import {followChanges} from './changes.ts';

const {pathname} = location;

if (!pathname.startsWith('/app/sign-in')) {
  followChanges();
  prefetchPath('/v1/me');
  const [, shown] = /^\/app(?:\/t\/([\w-]+))?\/?$/.exec(pathname) ?? [];
  const team = shown ?? readItem('standup:team');
  if (
    (shown !== undefined || /^\/app\/?$/.test(pathname)) &&
    team !== null &&
    !location.search.includes('date=')
  ) {
    prefetchPath(`/v1/teams/${team}`);
    prefetchPath(`/v1/teams/${team}/days/today`);
  }
}
