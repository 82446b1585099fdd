import {texts} from '../texts/texts.ts';
import {formatSize} from './download-size.ts';
import {type DownloadState, mostInMemory} from './download.ts';
import {ProblemNote} from './problem-note.tsx';

/** Shows the progress of a download, or the reason why it ended. */
export function DownloadStatus({
  state,
  onRetry,
}: {
  readonly state: DownloadState;
  readonly onRetry: () => void;
}) {
  if (state.kind === 'failed') return <ProblemNote onRetry={onRetry} problem={state.problem} />;
  return <output aria-live={state.kind === 'running' ? 'off' : 'polite'}>{describeState(state)}</output>;
}

function describeState(state: DownloadState): string {
  const {cancelled, done, running, tooBig} = texts.history.export;
  if (state.kind === 'running') return running({size: formatSize(state.bytes)});
  if (state.kind === 'done') return done({size: formatSize(state.bytes)});
  if (state.kind === 'too-big') return tooBig({size: formatSize(mostInMemory)});
  return state.kind === 'cancelled' ? cancelled : '';
}
