import type {KnownBlock} from '@slack/types';
import {listenToButton} from '../door/buttons.js';
import {presentNote} from '../form/form-view.js';
import type {Kit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {decodeText} from '../blocks/text.js';
import {showHistory} from './show-history.js';

const clientMs = 1_000;

/**
 * *Earlier*, under one's own standups: beside what is shown, since that is still to be read; in a modal in
 * its place.
 */
export function listenToHistory(kit: Kit): void {
  listenToButton(kit, actions.history, async ({visit, value: {past}, view}, answer) => {
    const from = Number.isSafeInteger(past) ? Number(past) : undefined;
    const message = await showHistory(kit, visit, from);
    await answer();
    if (view?.type !== 'modal') return visit.respond({...message, replace_original: false});
    const client = await kit.visitors.findClient(visit.origin, performance.now() + clientMs);
    const {text = ''} = message;
    const shown = presentNote(visit.reader, decodeText(text));
    const blocks = 'blocks' in message ? (message.blocks as KnownBlock[]) : shown.blocks;
    await client.views.update({view_id: view.id, hash: view.hash, view: {...shown, blocks}});
  });
}
