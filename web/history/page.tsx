import {words} from '../words/words.ts';

export function HistoryPage() {
  return <h1>{words.frame.pages.history}</h1>;
}
