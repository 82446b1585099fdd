import {Link} from '@tanstack/react-router';
import {PageHead} from '../parts/page-head.tsx';
import {words} from '../words/words.ts';

export function NotFound() {
  const {title, text, cure} = words.frame.notFound;
  return (
    <>
      <PageHead title={title} sub={text} />
      <Link to="/">{cure}</Link>
    </>
  );
}
