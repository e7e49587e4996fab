import { HttpToolCaller } from '@app/domain/agent/http-tool.port';
import { Module, type DynamicModule } from '@nestjs/common';
import { GuardedToolCaller } from './guarded-tool.caller';

/** The caller of the addresses that tenants choose for their agents' tools. */
@Module({})
export class HttpToolsModule {
  /** @param mayReachThisMachine whether tools may also call this machine, and without TLS. */
  static with(mayReachThisMachine: boolean): DynamicModule {
    return {
      module: HttpToolsModule,
      global: true,
      providers: [{ provide: HttpToolCaller, useValue: new GuardedToolCaller({ mayReachThisMachine }) }],
      exports: [HttpToolCaller],
    };
  }
}
