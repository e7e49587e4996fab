import { Module } from '@nestjs/common';
import { FileLinksController } from './file-links.controller';
import { MediaController } from './media.controller';
import { UploadPlaces } from './upload.places';
import { UploadsController } from './uploads.controller';

@Module({
  controllers: [MediaController, UploadsController, FileLinksController],
  providers: [UploadPlaces],
})
export class MediaModule {}
