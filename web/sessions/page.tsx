import {words} from '../words/words.ts';

export function SessionsPage() {
  return <h1>{words.frame.pages.sessions}</h1>;
}
