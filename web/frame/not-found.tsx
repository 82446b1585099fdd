import {Link} from '@tanstack/react-router';
import {PageHead} from '../parts/page-head.tsx';
import {texts} from '../texts/texts.ts';

export function NotFound() {
  const {title, text, cure} = texts.frame.notFound;
  return (
    <>
      <PageHead title={title} sub={text} />
      <Link to="/">{cure}</Link>
    </>
  );
}
