import { CHANNELS, type Channel } from '@app/contracts/message.words';

/** The channel of a dialog as requests name it. Answers have it in capitals. */
export const channelOf = ({ channel }: { channel: string }): Channel =>
  CHANNELS.find((word) => word === channel.toLowerCase()) ?? 'waba';
