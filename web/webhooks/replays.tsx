import type {ReactNode} from 'react';
import type {Schema} from '../api/schema.ts';

/** Sending past events again, with its progress. */
export const Replays: (props: {readonly webhook: Schema<'Webhook'>}) => ReactNode = () => null;
