import {texts} from '../texts/texts.ts';
import {Button, type ButtonProps} from './button.tsx';
import {formatSize} from './download-size.ts';
import {type DownloadedFile, type DownloadState, mostInMemory, useDownload} from './download.ts';
import {ProblemNote} from './problem-note.tsx';

interface DownloadButtonProps extends Pick<ButtonProps, 'kind' | 'isDisabled'> {
  readonly file: DownloadedFile;
  readonly label: string;
  /** Label of the button while the download is in progress. */
  readonly cancel: string;
}

/** A button that starts a download or cancels it, and its progress. */
export function DownloadButton({file, label, cancel: cancelLabel, ...look}: DownloadButtonProps) {
  const {state, run, cancel} = useDownload();
  const start = (): void => void run(file);
  return (
    <>
      {state.kind === 'running' ? (
        <Button onPress={cancel}>{cancelLabel}</Button>
      ) : (
        <Button icon="download" onPress={start} {...look}>
          {label}
        </Button>
      )}
      <DownloadStatus onRetry={start} state={state} />
    </>
  );
}

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
