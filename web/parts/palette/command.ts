import type {NavigateFn} from '@tanstack/react-router';
import type {Schema} from '../../api/schema.ts';

/** An action of the command palette, with its shortcut if it has one. */
export interface PaletteCommand {
  readonly label: string;
  /** A shorter text that tells what the label names, such as `Person`. */
  readonly about?: string;
  /** One key such as `n` or `?`, or two keys in sequence such as `g t`. */
  readonly key?: string;
  readonly run: () => void;
}

/** Given to each feature's `commands.ts`, which returns the commands that the viewer may use. */
export interface CommandContext {
  readonly me: Schema<'Me'>;
  readonly navigate: NavigateFn;
  /** Opens the write panel for a team (by slug). */
  readonly write: (team: string) => void;
}
