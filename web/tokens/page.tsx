import {useQuery} from '@tanstack/react-query';
import {getRouteApi, Link} from '@tanstack/react-router';
import {useState} from 'react';
import {meQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {ConfirmFirst} from '../parts/confirm-first.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {texts} from '../texts/texts.ts';
import {MadeToken} from './made.tsx';
import {Tokens} from './tokens.tsx';

const route = getRouteApi('/framed/tokens');

export function TokensPage() {
  const {data: me} = useQuery(meQuery);
  const search = route.useSearch();
  // The page holds the new token, since the list disappears when the session must be confirmed.
  const [made, setMade] = useState<Schema<'CreatedAccessToken'>>();
  return (
    <div className="grid gap-4 *:min-w-0 [&>header]:mb-0!">
      <PageHead
        sub={
          <>
            {texts.tokens.sub} <Link to="/device">{texts.tokens.device.title}</Link>
          </>
        }
        title={texts.tokens.title}
      />
      {made !== undefined && <MadeToken made={made} onDone={() => setMade(undefined)} />}
      <ConfirmFirst scope="tokens:manage">
        {me !== undefined && <Tokens me={me} onMade={setMade} search={search} />}
      </ConfirmFirst>
    </div>
  );
}
