/** The networks that look at pictures, by their names: apart, so that who only names one loads no decoder. */
export const FACE_NETWORK = 'yunet';
export const WRITING_NETWORK = 'ppocrv3_det';
