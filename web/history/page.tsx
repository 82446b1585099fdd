import {useQuery} from '@tanstack/react-query';
import {Link, useNavigate, useSearch} from '@tanstack/react-router';
import {useState} from 'react';
import {meQuery} from '../api/queries.ts';
import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {useAskedPanel} from '../parts/palette/asked-panel.ts';
import type {StandupListFilter} from '../parts/standups/standup-filter.ts';
import {StandupList} from '../parts/standups/standup-list.tsx';
import {texts} from '../texts/texts.ts';
import {ActiveFilters} from './active-filters.tsx';
import {ExportPanel} from './export-panel.tsx';
import {dropEmptyFilters} from './filter.ts';
import {Filters} from './filters.tsx';
import {OneStandup} from './one-standup.tsx';

export function HistoryPage() {
  const {standup, write: _, edit: __, ...filter} = useSearch({from: '/framed/history'});
  return standup === undefined ? <AllStandups filter={filter} /> : <OneStandup id={standup} />;
}

function AllStandups({filter}: {readonly filter: StandupListFilter}) {
  const [isExporting, setExporting] = useState(false);
  useAskedPanel('export', () => setExporting(true));
  const navigate = useNavigate({from: '/history'});
  const change = (next: StandupListFilter, replace = false): void =>
    void navigate({to: '/history', search: dropEmptyFilters(next), replace});
  const {history} = texts;
  return (
    <>
      <PageHead
        actions={
          <Button
            aria-controls="export"
            aria-expanded={isExporting}
            icon="download"
            onPress={() => setExporting(!isExporting)}
          >
            {history.export.open}
          </Button>
        }
        sub={history.sub}
        title={texts.frame.pages.history}
      />
      <div id="export">{isExporting && <ExportPanel filter={filter} key={JSON.stringify(filter)} />}</div>
      <div className="mt-5 mb-4 grid grid-cols-1 gap-3">
        <Filters filter={filter} onChange={change} />
        <ActiveFilters filter={filter} onChange={change} />
      </div>
      <StandupList
        empty={<NoStandups hasFilters={Object.keys(filter).length > 0} onClear={() => change({})} />}
        filter={filter}
        key={JSON.stringify(filter)}
      />
    </>
  );
}

function NoStandups({hasFilters, onClear}: {readonly hasFilters: boolean; readonly onClear: () => void}) {
  const {never, noMatch} = texts.history;
  const navigate = useNavigate();
  const {data: me} = useQuery(meQuery);
  const hasTeam = (me?.teams ?? []).length > 0;
  const write = (): void => void navigate({to: '.', search: {write: ''}, resetScroll: false});
  if (hasFilters) {
    const clear = <Button onPress={onClear}>{noMatch.clear}</Button>;
    return <Empty action={clear} icon="search" text={noMatch.text} title={noMatch.title} />;
  }
  const first = hasTeam ? (
    <Button icon="write" kind="first" onPress={write}>
      {never.write}
    </Button>
  ) : (
    <Link to="/">{texts.frame.notFound.cure}</Link>
  );
  return <Empty action={first} icon="history" text={never.text} title={never.title} />;
}
