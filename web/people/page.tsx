import {words} from '../words/words.ts';

export function PersonPage() {
  return <h1>{words.frame.pages.history}</h1>;
}
