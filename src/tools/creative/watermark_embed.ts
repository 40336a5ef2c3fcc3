import { z } from 'zod';
import { invalidField } from '../../errors.ts';
import { IMAGE_SIDE_PX_MAX, WATERMARK_CHARACTERS_MAX, WATERMARK_STRENGTH_MIN } from '../../limits.ts';
import type { Services } from '../../services/services.ts';
import { EXAMPLE_MARKABLE_B64 } from '../example_image.ts';
import { engineAnswer, imageAnswer, imageField, outputField } from '../fields.ts';
import { FREE } from '../price.ts';
import { defineTool } from '../tool.ts';
import { pictureAnswer } from './picture_answer.ts';
