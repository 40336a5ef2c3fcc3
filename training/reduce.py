"""Small pictures from large ones as matrix products, so that every patch of a batch has a blur and a filter of its own."""
import torch

LANCZOS = 3
FILTERS = ("bicubic", "bilinear", "lanczos")


def weight(name, x):
    x = x.abs()
    if name == "bilinear":
        return (1 - x).clamp(min=0)
    if name == "lanczos":
        return torch.where(x < LANCZOS, torch.sinc(x) * torch.sinc(x / LANCZOS), torch.zeros_like(x))
    # The bicubic kernel with a = -0.5 (Keys, 1981): of MATLAB, of Pillow, and of the sets that are measured on.
    near = 1.5 * x**3 - 2.5 * x**2 + 1
    far = -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2
    return torch.where(x < 1, near, torch.where(x < 2, far, torch.zeros_like(x)))


def matrix(name, side, scale, device):
    """[side / scale, side]: the filter widened by the scale, each row with the sum 1."""
    centres = (torch.arange(side // scale, device=device, dtype=torch.float64) + 0.5) * scale
    places = torch.arange(side, device=device, dtype=torch.float64) + 0.5
    rows = weight(name, (places - centres[:, None]) / scale)
    return (rows / rows.sum(1, keepdim=True)).float()


def blur_matrices(sigmas, side):
    """[n, side, side]: Gaussian blurs along one axis, deviations in pixels."""
    places = torch.arange(side, device=sigmas.device)
    rows = torch.exp(-0.5 * ((places - places[:, None]) / sigmas.clamp(min=0.05)[:, None, None]) ** 2)
    return rows / rows.sum(2, keepdim=True)


def reduced(large, matrices):
    """[n, c, side, side] by [side / scale, side], or by one matrix for each of the n: along columns, then along rows."""
    if matrices.ndim == 3:
        matrices = matrices[:, None]
    return matrices @ large @ matrices.transpose(-1, -2)


def to_levels(pictures):
    return pictures.round().clamp(0, 255)
