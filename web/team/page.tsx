import {PageHead} from '../parts/page-head.tsx';
import {words} from '../words/words.ts';

export function TeamPage() {
  return <PageHead title={words.team.title} />;
}
