//! The application's scene: spheres, rings and a cone on a floor, as triangles.

use brickwork_texture::gpu::{filled_buffer, wgpu};
use std::f32::consts::{PI, TAU};

/// Samples per texel of the render target.
pub const SAMPLES: u32 = 4;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// `struct Vertex` of scene.wgsl: position, normal, colour, pattern.
type Vertex = [f32; 10];

#[derive(Default)]
struct Mesh {
    vertices: Vec<Vertex>,
    indices: Vec<u32>,
}

impl Mesh {
    /// Adds a surface over (0..=1)², given by position and normal, in `across` × `down` steps.
    fn add(
        &mut self,
        [across, down]: [u32; 2],
        [color, [pattern, ..]]: [[f32; 3]; 2],
        surface: impl Fn(f32, f32) -> [[f32; 3]; 2],
    ) {
        let first = self.vertices.len() as u32;
        for row in 0..=down {
            for column in 0..=across {
                let [p, n] = surface(column as f32 / across as f32, row as f32 / down as f32);
                let vertex = [p[0], p[1], p[2], n[0], n[1], n[2], color[0], color[1], color[2], pattern];
                self.vertices.push(vertex);
            }
        }
        for row in 0..down {
            for column in 0..across {
                let corner = first + row * (across + 1) + column;
                let below = corner + across + 1;
                self.indices.extend([corner, corner + 1, below, below, corner + 1, below + 1]);
            }
        }
    }

    fn sphere(&mut self, center: [f32; 3], radius: f32, looks: [[f32; 3]; 2]) {
        self.add([64, 32], looks, |u, v| {
            let ((sin_u, cos_u), (sin_v, cos_v)) = ((u * TAU).sin_cos(), (v * PI).sin_cos());
            let normal = [cos_u * sin_v, cos_v, sin_u * sin_v];
            [[0, 1, 2].map(|i| center[i] + radius * normal[i]), normal]
        });
    }

    /// A ring that leans towards the viewer.
    fn ring(&mut self, center: [f32; 3], radii: [f32; 2], lean: f32, looks: [[f32; 3]; 2]) {
        self.add([96, 32], looks, |u, v| {
            let ((sin_u, cos_u), (sin_v, cos_v)) = ((u * TAU).sin_cos(), (v * TAU).sin_cos());
            let (sin, cos) = lean.sin_cos();
            let turn = |[x, y, z]: [f32; 3]| [x, y * cos - z * sin, y * sin + z * cos];
            let normal = turn([cos_u * cos_v, sin_u * cos_v, sin_v]);
            let spine = turn([cos_u * radii[0], sin_u * radii[0], 0.0]);
            [[0, 1, 2].map(|i| center[i] + spine[i] + radii[1] * normal[i]), normal]
        });
    }

    fn cone(&mut self, center: [f32; 3], radius: f32, height: f32, looks: [[f32; 3]; 2]) {
        let length = radius.hypot(height);
        self.add([64, 1], looks, |u, v| {
            let (sin, cos) = (u * TAU).sin_cos();
            let position =
                [center[0] + radius * v * cos, center[1] + height * (1.0 - v), center[2] + radius * v * sin];
            [position, [cos * height / length, radius / length, sin * height / length]]
        });
    }
}

fn mesh() -> Mesh {
    const PLAIN: [f32; 3] = [0.0; 3];
    const STRIPES: [f32; 3] = [1.0; 3];
    const TILES: [f32; 3] = [2.0; 3];
    let mut mesh = Mesh::default();
    mesh.add([1, 1], [[0.75, 0.72, 0.66], TILES], |u, v| {
        [[60.0 * u - 30.0, 0.0, 50.0 * v - 8.0], [0.0, 1.0, 0.0]]
    });
    mesh.sphere([-1.9, 1.0, 0.4], 1.0, [[0.85, 0.16, 0.10], PLAIN]);
    mesh.sphere([0.3, 0.55, -1.2], 0.55, [[0.95, 0.72, 0.12], STRIPES]);
    mesh.sphere([3.3, 1.5, 5.0], 1.5, [[0.15, 0.35, 0.80], STRIPES]);
    mesh.ring([0.5, 1.35, 2.2], [1.0, 0.34], 0.5, [[0.12, 0.62, 0.38], PLAIN]);
    mesh.ring([2.0, 0.30, 0.2], [0.62, 0.24], 1.45, [[0.75, 0.25, 0.65], STRIPES]);
    mesh.cone([-3.9, 0.0, 5.0], 1.3, 3.0, [[0.90, 0.50, 0.15], STRIPES]);
    mesh
}

/// Buffers and pipeline for the scene.
pub struct Scene {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    index_count: u32,
    pipeline: wgpu::RenderPipeline,
}

impl Scene {
    /// The scene for render targets in `format`.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let mesh = mesh();
        let attributes =
            wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Float32];
        let module = device.create_shader_module(wgpu::include_wgsl!("scene.wgsl"));
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("scene"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("project"),
                compilation_options: Default::default(),
                buffers: &[Some(wgpu::VertexBufferLayout {
                    array_stride: size_of::<Vertex>() as u64,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &attributes,
                })],
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Less),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: SAMPLES, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("shade"),
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self {
            vertices: filled_buffer(
                device,
                "vertices",
                bytemuck::cast_slice(&mesh.vertices),
                wgpu::BufferUsages::VERTEX,
            ),
            indices: filled_buffer(
                device,
                "indices",
                bytemuck::cast_slice(&mesh.indices),
                wgpu::BufferUsages::INDEX,
            ),
            index_count: mesh.indices.len() as u32,
            pipeline,
        }
    }

    /// Draws into `target` what is seen in a frame: from each to the next the viewer takes a step.
    pub fn draw(
        &self,
        device: &wgpu::Device,
        commands: &mut wgpu::CommandEncoder,
        target: &wgpu::Texture,
        frame: u32,
    ) {
        let texture = |format| {
            let description = wgpu::TextureDescriptor {
                label: Some("samples"),
                size: target.size(),
                mip_level_count: 1,
                sample_count: SAMPLES,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            };
            device.create_texture(&description).create_view(&Default::default())
        };
        let (samples, depth) = (texture(target.format()), texture(DEPTH));
        let sky = wgpu::Color { r: 0.38, g: 0.55, b: 0.78, a: 1.0 };
        let mut pass = commands.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &samples,
                depth_slice: None,
                resolve_target: Some(&target.create_view(&Default::default())),
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(sky), store: wgpu::StoreOp::Discard },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..self.index_count, 0, frame..frame + 1);
    }
}
