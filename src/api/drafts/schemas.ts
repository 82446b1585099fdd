import {z} from 'zod';
import {date, reference} from '../../domain/core/schemas.js';
import {draftSource} from '../../domain/drafts/draft.js';

const day = {
  team: reference,
  date: date.optional().meta({
    description: "The day of the standup. The default is the date of the team's open run, or else today.",
  }),
};

export const draftQuerySchema = z.strictObject(day);

export const draftPartsQuerySchema = z.strictObject({
  ...day,
  source: draftSource.optional().meta({description: 'Only the part of this source.'}),
});
