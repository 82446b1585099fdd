import {useQuery} from '@tanstack/react-query';
import {dayQuery, meQuery} from '../api/queries.ts';
import type {Me, TeamDay} from '../api/schema.ts';
import {Hidden} from '../parts/hidden.tsx';
import {useNow} from '../parts/use-now.ts';
import {texts} from '../texts/texts.ts';

type CountedPage = Exclude<keyof typeof texts.frame.waiting, 'team'>;

/** The numbers beside pages of the menu, which every page has read. */
const counts: Readonly<Record<CountedPage, (me: Me) => number | undefined>> = {
  inbox: ({inbox}) => inbox?.unread,
  blockers: ({blockers}) => blockers?.open,
  webhooks: ({webhooks}) => webhooks?.failing,
};
const colours: Readonly<Record<keyof typeof texts.frame.waiting, string>> = {
  inbox: 'text-accent',
  blockers: 'text-quiet',
  webhooks: 'text-missed',
  team: 'text-quiet',
};

/** How much waits behind an entry of the menu, once the page itself is painted. Nothing is read for it. */
export function MenuBadge({page, team}: {readonly page?: string; readonly team?: string}) {
  if (team !== undefined) return <TeamBadge team={team} />;
  return page !== undefined && page in counts ? <PageBadge page={page as CountedPage} /> : null;
}

function PageBadge({page}: {readonly page: CountedPage}) {
  const {data: me} = useQuery(meQuery);
  return <Amount amount={(me && counts[page](me)) ?? 0} what={page} />;
}

/** The people missing in the current run of a team whose day was read before. From then on, changes keep it true. */
function TeamBadge({team}: {readonly team: string}) {
  const now = useNow(60_000);
  const {data: day} = useQuery({
    ...dayQuery(team, 'today'),
    enabled: ({state}) => state.data !== undefined,
  });
  return <Amount amount={day === undefined ? 0 : countMissing(day, now)} what="team" />;
}

function countMissing({run, counts: {expected, posted, late}}: TeamDay, now: number): number {
  const isOpen = run?.state === 'open' && Date.parse(run.closes_at) > now;
  return isOpen ? Math.max(0, expected - posted - late) : 0;
}

function Amount({amount, what}: {readonly amount: number; readonly what: keyof typeof texts.frame.waiting}) {
  if (amount <= 0) return null;
  const title = texts.frame.waiting[what]({amount});
  return (
    <span className={`ms-auto text-xs font-semibold ${colours[what]}`} title={title}>
      <span aria-hidden>{amount}</span>
      <Hidden>{title}</Hidden>
    </span>
  );
}
