import type { Channel } from '@app/contracts/message.words';
import { NumberProbes, type NumberProbe } from '@app/domain/bots/number-probe.port';
import { MessageSenders, type MessageSender } from '@app/domain/messages/dispatch/message-sender.port';
import { TemplateGateways, type TemplateGateway } from '@app/domain/templates/template-gateway.port';

/** The adapter that serves the channel. @throws Error when none does. */
function servantOf<T extends { channels: readonly Channel[] }>(adapters: readonly T[], channel: Channel): T {
  const adapter = adapters.find(({ channels }) => channels.includes(channel));
  if (!adapter) throw new Error(`No adapter serves the channel ${channel}.`);
  return adapter;
}

export class ConnectedSenders extends MessageSenders {
  constructor(private readonly senders: readonly MessageSender[]) {
    super();
  }

  of(channel: Channel): MessageSender {
    return servantOf(this.senders, channel);
  }
}

export class ConnectedGateways extends TemplateGateways {
  constructor(private readonly gateways: readonly TemplateGateway[]) {
    super();
  }

  of(channel: Channel): TemplateGateway {
    return servantOf(this.gateways, channel);
  }
}

export class ConnectedProbes extends NumberProbes {
  constructor(private readonly probes: readonly NumberProbe[]) {
    super();
  }

  of(channel: Channel): NumberProbe {
    return servantOf(this.probes, channel);
  }
}
