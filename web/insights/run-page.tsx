import {PageHead} from '../parts/page-head.tsx';
import {words} from '../words/words.ts';

export function RunPage() {
  return <PageHead title={words.insights.title} />;
}
