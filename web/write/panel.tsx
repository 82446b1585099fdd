import {words} from '../words/words.ts';

/** Opened by `?write=` (a team's slug, or empty) or `?edit=` (a standup's id) beside any page. */
export interface WritePanelProps {
  readonly team: string | undefined;
  readonly edit: string | undefined;
  readonly onClose: () => void;
}

export function WritePanel({onClose}: WritePanelProps) {
  return (
    <aside>
      <button type="button" onClick={onClose}>
        {words.frame.write}
      </button>
    </aside>
  );
}
