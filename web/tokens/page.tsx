import {PageHead} from '../parts/page-head.tsx';
import {words} from '../words/words.ts';

export function TokensPage() {
  return <PageHead title={words.tokens.title} />;
}
