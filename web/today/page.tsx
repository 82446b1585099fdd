import {words} from '../words/words.ts';

export function TodayPage() {
  return <h1>{words.frame.pages.today}</h1>;
}
