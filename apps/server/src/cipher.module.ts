import { SecretCipher } from '@app/domain/accounts/secret-cipher.port';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import { Module, type DynamicModule } from '@nestjs/common';

/** Seals the credentials of numbers with the installation's key. */
@Module({})
export class CipherModule {
  static withKey(encryptionKey: string): DynamicModule {
    return {
      module: CipherModule,
      global: true,
      providers: [{ provide: SecretCipher, useValue: new AesChannelCipher(encryptionKey) }],
      exports: [SecretCipher],
    };
  }
}
