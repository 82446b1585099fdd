import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {getScopeExpiry} from '../api/session.ts';
import {Card} from '../parts/card.tsx';
import {useNow} from '../parts/use-now.ts';
import {texts} from '../texts/texts.ts';
import {sessionsQuery} from './queries.ts';

export function SessionsLink() {
  const {sessions: t} = texts.workspace;
  const now = useNow(60_000);
  const {data} = useQuery({...sessionsQuery, enabled: (getScopeExpiry('tokens:manage') ?? 0) > now});
  return (
    <Card label={t.title}>
      <h2>{t.title}</h2>
      <div className="flex flex-wrap items-center gap-3">
        <p>{data === undefined || data.has_more ? t.text : t.count({amount: data.data.length})}</p>
        <Link to="/sessions">{t.open}</Link>
      </div>
    </Card>
  );
}
