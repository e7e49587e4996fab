import { Module, type DynamicModule, type ValueProvider } from '@nestjs/common';

/** Values of the settings, under the tokens by which features inject them. */
@Module({})
export class SettingsModule {
  static with(values: ValueProvider[]): DynamicModule {
    return { module: SettingsModule, global: true, providers: values, exports: values };
  }
}
