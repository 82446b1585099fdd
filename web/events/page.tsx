import {PageHead} from '../parts/page-head.tsx';
import {words} from '../words/words.ts';

export function EventsPage() {
  return <PageHead title={words.events.title} />;
}
