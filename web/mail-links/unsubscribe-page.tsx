import {Link} from '@tanstack/react-router';
import {useEffect, useState} from 'react';
import {endSubscription, fetchSubscription, type Subscription} from '../api/mail-links.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {useAction} from '../parts/use-action.ts';
import {useTitle} from '../parts/use-title.ts';
import {texts} from '../texts/texts.ts';
import {Card} from './card.tsx';

/** Ends one kind of mail. Only a press of the button does, since software opens links too. */
export function UnsubscribePage({token}: {readonly token: string}) {
  const t = texts.mailLinks;
  const [found, setFound] = useState<Subscription>();
  const look = useAction(async () => setFound(await fetchSubscription(token)));
  const end = useAction(async () => {
    await endSubscription(token);
    await look.run();
  });
  useTitle(t.unsubscribe.title);
  useEffect(() => {
    void look.run();
    // Runs only once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const problem = end.problem ?? look.problem;
  const isUnknown = problem?.status === 401;
  return (
    <Card title={t.unsubscribe.title}>
      {isUnknown && <p>{t.unknown}</p>}
      {!isUnknown && problem !== undefined && (
        <ProblemNote onRetry={() => void look.run()} problem={problem} />
      )}
      {!isUnknown && found !== undefined && (
        <p>{(found.active ? t.unsubscribe.active : t.unsubscribe.ended)[found.from]({email: found.email})}</p>
      )}
      <div className="flex flex-wrap gap-3">
        {found?.active === true && (
          <Button isPending={end.isPending} kind="first" onPress={() => void end.run()}>
            {t.unsubscribe.end}
          </Button>
        )}
        <Link className="inline-flex min-h-11 items-center font-semibold" to="/">
          {t.open}
        </Link>
      </div>
    </Card>
  );
}
