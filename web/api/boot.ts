// Asks for what the first screen needs while the rest of the app is under way. Loads nothing, so that it runs first.
import type {FirstAnswers} from './first-answers.ts';

const place = /^\/app(?:\/t\/([^/]+))?\/?$/.exec(location.pathname);
const isLink = location.hash.length > 1;

if (!isLink && !location.pathname.startsWith('/app/sign-in')) {
  const token = fetch('/app/session/token', {method: 'POST', headers: {'X-Standup-Dashboard': '1'}});
  token.catch(() => undefined);
  const read = async (path: string): Promise<Response | undefined> => {
    try {
      const answer = (await token).clone();
      if (!answer.ok) return undefined;
      const granted = (await answer.json()) as {token: string};
      return await fetch(path, {headers: {Authorization: `Bearer ${granted.token}`}, cache: 'no-store'});
    } catch {
      return undefined;
    }
  };
  const reads: FirstAnswers['reads'] = new Map([['/v1/me', read('/v1/me')]]);
  const team = place?.[1] ?? localStorage.getItem('standup:team');
  if (place !== null && team !== null && /^[\w-]+$/.test(team)) {
    for (const path of [`/v1/teams/${team}/days/today`, `/v1/teams/${team}`]) reads.set(path, read(path));
  }
  globalThis.standupFirstAnswers = {token, reads};
}
