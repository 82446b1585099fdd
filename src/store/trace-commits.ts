import {runInSpan, type Tracer} from '../domain/core/tracer.js';
import type {Store} from './store.js';

/**
 * Returns the store with a span for each commit. Events and mails of the commit keep it, so that the work that
 * follows is linked to it. A commit without a span around it, such as one from Slack, begins a trace.
 */
export function traceCommits(store: Store, tracer: Tracer | undefined): Store {
  if (tracer === undefined) return store;
  const {commits} = store;
  return {
    ...store,
    commits: {
      ...commits,
      run(terms, commit) {
        const {workspace, entryPoint, requestId} = terms;
        const span = tracer.start('commit', {
          kind: 'client',
          parent: terms.trace,
          attributes: {
            'db.system.name': 'redis',
            'standup.workspace': workspace,
            'standup.entry_point': entryPoint,
            'standup.request_id': requestId,
            'standup.events': commit.events.map(({type}) => type),
          },
        });
        const run = () => commits.run({...terms, trace: span.context}, commit);
        return runInSpan(span, run, ({kind}) => ({attributes: {'standup.outcome': kind}}));
      },
    },
  };
}
