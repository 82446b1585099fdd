import type {ReactNode} from 'react';
import type {Schema} from '../api/schema.ts';

/** Sends one delivery again. */
export const Redeliver: (props: {readonly delivery: Schema<'Delivery'>}) => ReactNode = () => null;
