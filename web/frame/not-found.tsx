import {Link} from '@tanstack/react-router';
import {words} from '../words/words.ts';

export function NotFound() {
  const {title, text, cure} = words.frame.notFound;
  return (
    <main className="page">
      <h1>{title}</h1>
      <p>{text}</p>
      <Link to="/">{cure}</Link>
    </main>
  );
}
