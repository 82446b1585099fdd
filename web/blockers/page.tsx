import {words} from '../words/words.ts';

export function BlockersPage() {
  return <h1>{words.frame.pages.blockers}</h1>;
}
