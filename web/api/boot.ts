// Runs while the rest of the app loads: signs in, opens the change stream, and starts the reads of the first
// screen.
import {readEarly} from './client.ts';
import {readKept} from './storage.ts';
import {followChanges} from './changes.ts';

const {pathname} = location;

if (!pathname.startsWith('/app/sign-in')) {
  followChanges();
  readEarly('/v1/me');
  const [, shown] = /^\/app(?:\/t\/([\w-]+))?\/?$/.exec(pathname) ?? [];
  const team = shown ?? readKept('standup:team');
  if (
    (shown !== undefined || /^\/app\/?$/.test(pathname)) &&
    team !== null &&
    !location.search.includes('date=')
  ) {
    readEarly(`/v1/teams/${team}`);
    readEarly(`/v1/teams/${team}/days/today`);
  }
}
