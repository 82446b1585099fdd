import {Link} from '@tanstack/react-router';
import {Card} from '../parts/card.tsx';
import {texts} from '../texts/texts.ts';

export function ImportLink() {
  const {import: t} = texts.workspace;
  return (
    <Card label={t.title}>
      <h2>{t.title}</h2>
      <div className="flex flex-wrap items-center gap-3">
        <p>{t.text}</p>
        <Link to="/workspace/import">{t.open}</Link>
      </div>
    </Card>
  );
}
