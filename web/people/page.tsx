import {lazy, Suspense, useEffect, useRef} from 'react';
import {Link, useParams, useSearch} from '@tanstack/react-router';
import {buttonClass} from '../parts/button-class.ts';
import {Empty} from '../parts/empty.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {StandupList} from '../parts/standups/standup-list.tsx';
import {pageLink} from '../parts/team-pages.tsx';
import {texts} from '../texts/texts.ts';
import {Absences} from './absences.tsx';
import {Blockers} from './blockers.tsx';
import {Participation} from './participation.tsx';
import type {PersonProfile} from './found-person.ts';
import {usePerson} from './person.ts';
import {PersonHead} from './person-head.tsx';
import {type PersonTab, personTabs} from './search.ts';

const Settings = lazy(async () => ({default: (await import('./settings.tsx')).Settings}));

export function PersonPage() {
  const {member} = useParams({from: '/framed/people/$member'});
  const found = usePerson(member);
  const {people} = texts;
  if (found.kind === 'loading') return <Loading />;
  if (found.kind === 'failed') {
    return (
      <>
        <PageHead title={people.someone} />
        <ProblemNote onRetry={found.retry} problem={found.problem} />
      </>
    );
  }
  if (found.kind === 'none') {
    const away = <Link to="/history">{people.none.away}</Link>;
    return (
      <>
        <PageHead title={people.someone} />
        <Empty action={away} icon="people" text={people.none.text} title={people.none.title} />
      </>
    );
  }
  return (
    <>
      <PersonHead hasLeft={found.kind === 'left'} isHidden={found.kind === 'hidden'} person={found.person} />
      <PersonTabs key={found.person.id} person={found.person} />
    </>
  );
}

function PersonTabs({person}: {readonly person: PersonProfile}) {
  const {member} = useParams({from: '/framed/people/$member'});
  const {tab: chosen = 'standups'} = useSearch({from: '/framed/people/$member'});
  const tabs = personTabs.filter((one) => one !== 'settings' || person.isMe);
  const tab = tabs.find((one) => one === chosen) ?? 'standups';
  const {people} = texts;
  const bar = useRef<HTMLElement>(null);
  // Scrolls the current tab into view, since narrow screens do not show all tabs.
  useEffect(() => {
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }, [tab]);
  return (
    <>
      <nav
        aria-label={people.sections}
        className="mt-5 mb-4 flex gap-5 overflow-x-auto border-b border-line"
        ref={bar}
      >
        {tabs.map((one) => (
          <Link
            activeOptions={{exact: true}}
            aria-current={one === tab ? 'page' : undefined}
            className={`${pageLink} py-1 whitespace-nowrap focus-visible:-outline-offset-3`}
            key={one}
            params={{member}}
            replace
            resetScroll={false}
            search={one === 'standups' ? {} : {tab: one}}
            to="/people/$member"
          >
            {people.tabs[one]}
          </Link>
        ))}
      </nav>
      <PersonSection person={person} tab={tab} />
    </>
  );
}

function PersonSection({person, tab}: {readonly person: PersonProfile; readonly tab: PersonTab}) {
  const {people} = texts;
  if (tab === 'absences') return <Absences person={person} />;
  if (tab === 'blockers') return <Blockers person={person} />;
  if (tab === 'participation') return <Participation person={person} />;
  if (tab === 'settings') {
    return (
      <Suspense fallback={<Skeleton height={320} />}>
        <Settings person={person} />
      </Suspense>
    );
  }
  const {title, text, own} = people.noStandups;
  const write = (
    <Link className={buttonClass({kind: 'first'})} search={(before) => ({...before, write: ''})} to=".">
      {texts.frame.write}
    </Link>
  );
  return (
    <>
      <p className="mb-2">
        <Link search={{author: person.id}} to="/history">
          {people.searchThese}
        </Link>
      </p>
      <StandupList
        empty={
          <Empty action={person.isMe && write} icon="history" text={person.isMe ? own : text} title={title} />
        }
        filter={{author: person.id}}
        isOfOne
      />
    </>
  );
}

function Loading() {
  return (
    <>
      <PageHead title={texts.people.someone} />
      <Skeleton height={64} />
      <Skeleton lines={5} />
    </>
  );
}
