// Shows a changed thread wherever its standup is shown, without reading all of that again.
import {queryClient} from '../../api/queries.ts';
import type {ShownStandup, TeamDay, Thread} from '../../api/schema.ts';
import type {StandupListPages} from '../standups/put-standup.ts';

type ThreadChange = (thread: Thread) => Thread;

export function putThread(standup: string, change: ThreadChange): void {
  const put = <S extends {readonly id: string; readonly thread: Thread}>(one: S): S =>
    one.id === standup ? {...one, thread: change(one.thread)} : one;
  queryClient.setQueriesData<TeamDay>({queryKey: ['getTeamDay']}, (day) => {
    const isThere = day?.people.some(({standups}) => standups.some(({id}) => id === standup));
    if (day === undefined || isThere !== true) return day;
    return {...day, people: day.people.map((one) => ({...one, standups: one.standups.map(put)}))};
  });
  queryClient.setQueriesData<ShownStandup>({queryKey: ['getStandup']}, (shown) => shown && put(shown));
  queryClient.setQueriesData<StandupListPages>({queryKey: ['standupPages']}, (pages) => {
    const isThere = pages?.pages.some(({data}) => data.some(({id}) => id === standup));
    if (pages === undefined || isThere !== true) return pages;
    return {...pages, pages: pages.pages.map((page) => ({...page, data: page.data.map(put)}))};
  });
}
