import {words} from '../words/words.ts';

export function CalendarPage() {
  return <h1>{words.frame.pages.calendar}</h1>;
}
